import { ENDPOINTS } from './endpoints';
import { useMatrix } from './useMatrix';

useMatrix(ENDPOINTS);
