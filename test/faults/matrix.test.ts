import { ENDPOINTS } from './endpoints';
import { useMatrix } from './useMatrix';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

useMatrix(ENDPOINTS);
